/** A TypeScript file of the repository, as the architecture test sees it. */
export interface SourceFile {
  /** Path from the repository's root, with slashes: `src/domain/money/money.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text with the contents of comments, strings and regular expressions blanked out. */
  readonly code: string;
  /** Imports and re-exports, including types: paths from the root, or package names. */
  readonly imports: readonly string[];
}

/** Reads the TypeScript files of the repository in these folders, and the one beside them. */
export function readSourceFiles(
  root: URL,
  folders: readonly string[] = ["src/", "tests/"],
): SourceFile[] {
  const paths = ["main.ts", ...folders.flatMap((folder) => walk(root, folder))];
  return paths.flatMap((path) => {
    const url = new URL(path, root);
    return exists(url) ? [sourceFile(path, Deno.readTextFileSync(url))] : [];
  });
}

/** Creates a source file from a path and a text. */
export function sourceFile(path: string, text: string): SourceFile {
  const code = blankOut(text);
  return { path, text, code, imports: importsOf(path, text, code) };
}

function walk(root: URL, folder: string): string[] {
  const paths: string[] = [];
  for (const entry of Deno.readDirSync(new URL(folder, root))) {
    if (entry.isDirectory) paths.push(...walk(root, `${folder}${entry.name}/`));
    else if (/\.tsx?$/.test(entry.name)) paths.push(folder + entry.name);
  }
  return paths.sort();
}

function exists(url: URL): boolean {
  try {
    return Deno.statSync(url).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

const IMPORT = /\b(?:from|import)\s*\(?\s*"([^"\n]+)"/g;

function importsOf(path: string, text: string, code: string): string[] {
  const specifiers = [...text.matchAll(IMPORT)]
    .filter((match) => code[match.index] !== " ")
    .map((match) => match[1] as string);
  return specifiers.map((specifier) =>
    specifier.startsWith(".") ? new URL(specifier, `file:///${path}`).pathname.slice(1) : specifier
  );
}

const PIECES = [
  /\/\/[^\n]*/y,
  /\/\*[^]*?\*\//y,
  /"(?:\\.|[^"\\\n])*"/y,
  /'(?:\\.|[^'\\\n])*'/y,
  /(?<=[(,=:[!&|?{};\n]\s*|return )\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y,
] as const;

/** Blanks out all but code; keeps length, lines and the code in templates. */
function blankOut(text: string): string {
  let code = "";
  /** Brace depth of each open template expression. */
  const templates: number[] = [];
  let depth = 0;
  for (let i = 0; i < text.length;) {
    const piece = pieceAt(text, i) ??
      (text[i] === "`" || (text[i] === "}" && templates.at(-1) === depth)
        ? templatePieceAt(text, i)
        : null);
    if (piece === null) {
      if (text[i] === "{") depth += 1;
      else if (text[i] === "}") depth -= 1;
      code += text[i];
      i += 1;
      continue;
    }
    if (piece.startsWith("}")) templates.pop();
    if (/^[`}]/.test(piece) && piece.endsWith("${")) templates.push(depth);
    code += piece.replace(/[^\n]/g, " ");
    i += piece.length;
  }
  return code;
}

function pieceAt(text: string, start: number): string | null {
  for (const pattern of PIECES) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (match !== null) return match[0];
  }
  return null;
}

/** Returns the piece from a backtick or `}` to the next expression or the closing backtick. */
function templatePieceAt(text: string, start: number): string {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i += 1;
    else if (text[i] === "`") return text.slice(start, i + 1);
    else if (text[i] === "$" && text[i + 1] === "{") return text.slice(start, i + 2);
  }
  return text.slice(start);
}

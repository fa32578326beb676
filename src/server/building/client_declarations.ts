/** Makes one file of declarations of all that the client offers. */
import ts from "typescript";

const OPTIONS = { compilerOptions: { isolatedDeclarations: true } };

/** A file of the client: what it declares, and from which files it takes more. */
interface Declared {
  readonly declarations: string;
  /** Names that it exports, as it exports them; of the first file these are the client's. */
  readonly reexports: readonly string[];
  readonly imports: readonly URL[];
  readonly names: readonly string[];
}

/**
 * Returns the declarations of a file and of all that it is made of, as one module.
 *
 * @param entry a file that only exports what others declare
 * @throws {Error} if something has no type of its own, or two files declare the same name
 */
export async function clientDeclarations(entry: URL): Promise<string> {
  const files = new Map<string, Declared>();
  await collect(entry, files);
  const names = [...files.values()].flatMap((file) => file.names);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`two files of the client declare ${twice}`);
  const { reexports = [] } = files.get(entry.href) ?? {};
  const declarations = [...files.values()].map((file) => file.declarations);
  return `${declarations.join("\n")}\nexport { ${reexports.join(", ")} };\n`;
}

async function collect(url: URL, files: Map<string, Declared>): Promise<void> {
  if (files.has(url.href)) return;
  const declared = declarationsOf(url, await Deno.readTextFile(url));
  files.set(url.href, declared);
  for (const imported of declared.imports) await collect(imported, files);
}

function declarationsOf(url: URL, text: string): Declared {
  const source = parse(url, declarationText(url, text));
  const reexports: string[] = [];
  const imports: URL[] = [];
  const names: string[] = [];
  const kept: string[] = [];
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
      const from = statement.moduleSpecifier;
      if (from !== undefined && ts.isStringLiteral(from) && from.text.startsWith(".")) {
        imports.push(new URL(from.text, url));
      }
      if (ts.isExportDeclaration(statement)) reexports.push(...exportedNames(statement));
      continue;
    }
    const { name } = statement as { name?: ts.Identifier };
    if (name !== undefined) names.push(name.text);
    kept.push(ambient(statement, source));
  }
  return { declarations: kept.join("\n"), reexports, imports, names };
}

function declarationText(url: URL, text: string): string {
  if (url.pathname.endsWith(".d.ts")) return text;
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    ...OPTIONS,
    fileName: url.pathname,
  });
  const [first] = diagnostics;
  if (first === undefined) return outputText;
  throw new Error(`${url.pathname}: ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`);
}

function parse(url: URL, text: string): ts.SourceFile {
  return ts.createSourceFile(url.pathname, text, ts.ScriptTarget.Latest, true);
}

function exportedNames({ exportClause }: ts.ExportDeclaration): string[] {
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map((element) => element.name.text);
}

/** Returns a declaration with its comment, but not exported by itself. */
function ambient(statement: ts.Statement, source: ts.SourceFile): string {
  return statement.getFullText(source).trim().replace(/^export (?=\w)/m, "");
}

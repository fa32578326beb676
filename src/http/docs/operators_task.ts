/** The tasks of operators, as the reference page tells of them. */

/** A call of a task; names in braces stand for what the operator knows. */
export interface TaskCall {
  /** Operation id. */
  readonly operation: string;
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** Behind `/api/v2/admin`, with its query. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A step of a task: what to do, and the call that does it. */
export interface TaskStep {
  readonly text: string;
  readonly call?: TaskCall;
}

/** Something that an operator has to do. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly lead: string;
  readonly steps: readonly TaskStep[];
}

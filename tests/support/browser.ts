/** What a browser stores for a site: its cookies and the CSRF token. */
export class Browser {
  /** Of the session. */
  cookie: string | null = null;
  /** By which members know the device. */
  device: string | null = null;
  csrfToken: string | null = null;

  /** Returns the headers of a call. */
  headers(method: string): Record<string, string> {
    const cookies = [
      ...(this.cookie === null ? [] : [`_kvenue_session=${this.cookie}`]),
      ...(this.device === null ? [] : [`_kvenue_device=${this.device}`]),
    ];
    return {
      ...(cookies.length === 0 ? {} : { "Cookie": cookies.join("; ") }),
      ...(method === "GET" || this.csrfToken === null ? {} : { "X-CSRF-Token": this.csrfToken }),
    };
  }

  /** Stores the cookies and the token of an answer; an empty cookie deletes the stored one. */
  keep(headers: Headers, body: unknown): void {
    for (const text of headers.getSetCookie()) {
      const [, name, value = ""] = /^_kvenue_(session|device)=([^;]*)/.exec(text) ?? [];
      if (name === "session") this.cookie = value === "" ? null : value;
      if (name === "device") this.device = value;
    }
    const { csrf_token } = (body ?? {}) as { csrf_token?: unknown };
    if (typeof csrf_token === "string") this.csrfToken = csrf_token;
  }
}

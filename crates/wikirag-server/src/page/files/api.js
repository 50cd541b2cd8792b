// The server's operations. The only file that knows its addresses and shapes.

import { events } from "./sse.js";
import { token } from "./token.js";

/** What went wrong, as the server says it: `message`, perhaps `remedy`, a stable `code`, and the HTTP `status` (0: no answer came). */
export class Fault extends Error {
  constructor(status, { code, message, remedy } = {}) {
    super(message ?? `the server answered ${status}`);
    this.status = status;
    this.code = code ?? "";
    this.remedy = remedy ?? "";
  }
}

async function send(path, { body, signal, accept = "application/json" } = {}) {
  const headers = { accept };
  if (body) headers["content-type"] = "application/json";
  const known = token.get();
  if (known) headers.authorization = `Bearer ${known}`;
  let response;
  try {
    response = await fetch(path, {
      method: body ? "POST" : "GET",
      headers,
      body: body && JSON.stringify(body),
      signal,
      cache: "no-store",
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Fault(0, {
      message: "the server does not answer",
      remedy: "see whether `wikirag serve` still runs",
    });
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  const fault = new Fault(response.status, answer.error ?? answer);
  if (fault.status !== 401) throw fault;
  // Asks for a token and tries again; the same answer again asks again.
  token.drop(known);
  await token.ask(Boolean(known));
  return send(path, { body, signal, accept });
}

const json = async (path, options) => (await send(path, options)).json();

/** Without what is empty: the server refuses a name that is none. */
const given = (fields) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== "" && value?.length !== 0,
    ),
  );

const query = (fields) => {
  const text = new URLSearchParams(given(fields)).toString();
  return text && `?${text}`;
};

/** Each part of a path on its own: a `/` inside stays one. */
const path = (text) => text.split("/").map(encodeURIComponent).join("/");

/** Wikis that the caller sees, of all compositions. */
export const wikis = async (signal) =>
  (await json("/v1/wikis", { signal })).wikis;

/** Passages for a question. */
export const search = ({ question, rag, wikis: only, limit }, signal) =>
  json("/v1/query", {
    body: given({ question, rag, wikis: only, limit, explain: true }),
    signal,
  });

/** A document or a part of it; `lines` and `pages` are first and last. */
export const document = ({ wiki, path: page, lines, pages, rag }, signal) =>
  json(
    `/v1/documents/${path(`${wiki}/${page}`)}${query({ lines: lines?.join("-"), pages: pages?.join("-"), rag })}`,
    {
      signal,
    },
  );

/** The pages around a page, which is a path, title or alias. */
export const graph = ({ wiki, page, rag, depth, limit }, signal) =>
  json(`/v1/graph/${path(`${wiki}/${page}`)}${query({ rag, depth, limit })}`, {
    signal,
  });

/** What a language model would be given to read. */
export const context = ({ question, rag, wikis: only }, signal) =>
  json("/v1/context", { body: given({ question, rag, wikis: only }), signal });

/** Questions that find too little. */
export const gaps = ({ rag }, signal) =>
  json(`/v1/gaps${query({ rag })}`, { signal });

/** An answer as it is written: `{ event, data }` with `context`, `piece`, `done`; an `error` is thrown. */
export async function* ask({ question, rag, wikis: only }, signal) {
  const response = await send("/v1/ask", {
    body: given({ question, rag, wikis: only }),
    signal,
    accept: "text/event-stream",
  });
  for await (const { event, data } of events(response.body)) {
    const read = JSON.parse(data);
    if (event === "error") throw new Fault(200, read.error ?? read);
    yield { event, data: read };
  }
}

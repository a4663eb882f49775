/** A client of the Model Context Protocol in one request: what assistants send, without a session. */

export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

// biome-ignore lint/suspicious/noExplicitAny: an answer is what a test looks into
type Json = any

export type Told = { status: number; text: string; body: Json; headers: Headers }

/** Sends a message as it is. */
export async function send(url: string, message: unknown, headers: Record<string, string> = {}): Promise<Told> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...MCP_HEADERS, ...headers },
    body: JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, text, body: text === '' ? null : JSON.parse(text), headers: response.headers }
}

export const callOf = (name: string, given: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
})

/** The answer of a tool; throws for anything else. */
export async function callTool(
  url: string,
  name: string,
  given: object = {},
  headers: Record<string, string> = {},
): Promise<{ value: Json; isError: boolean; bytes: number }> {
  const { status, text, body } = await send(url, callOf(name, given), headers)
  const { structuredContent: value, isError = false, content } = body?.result ?? {}
  if (status !== 200 || JSON.stringify(JSON.parse(content?.[0]?.text ?? 'null')) !== JSON.stringify(value))
    throw new Error(`${name} answered ${status}: ${text}`)
  return { value, isError, bytes: Buffer.byteLength(text) }
}

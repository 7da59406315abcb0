/** Why a page has no connection. */
export type ConnectionProblem =
  /** Node-RED knows no page with this name. */
  | 'gone'
  /** A proxy hides the address of the page. */
  | 'proxy'
  /** Node-RED does not know whether the name in the address is its own. */
  | 'unknownName'

const problems: Readonly<Record<number, ConnectionProblem>> = {
  403: 'proxy',
  404: 'gone',
  421: 'unknownName',
}

/**
 * Requests the token that opens one connection: the password of a page only protects requests.
 * @param path The path of the page.
 */
export async function requestToken(
  path: string,
): Promise<{ token: string } | { problem: ConnectionProblem | undefined }> {
  const response = await fetch(`${path}/token`, { method: 'POST' })
  if (!response.ok) return { problem: problems[response.status] }
  return (await response.json()) as { token: string }
}

/** The address of a WebSocket of the page. */
export function socketAddress(path: string, query: Record<string, string>): string {
  return `${location.origin.replace(/^http/, 'ws')}${path}/socket?${new URLSearchParams(query)}`
}

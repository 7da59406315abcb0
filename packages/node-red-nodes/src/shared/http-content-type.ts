import type { NodeMessageInFlow } from 'node-red'

export interface HttpMessage extends NodeMessageInFlow {
  headers?: Record<string, unknown>
  /** Present if the message came from an `http in` node. */
  res?: unknown
}

// The `http request` node adds this header. The headers then describe another body and must not be sent on.
const requestNodeMark = 'x-node-red-request-node'

/** The `headers` to set on a message for an `http response` node; none if the flow has set the type. */
export function contentTypeHeaders(
  message: HttpMessage,
  mediaType: string,
): Pick<HttpMessage, 'headers'> {
  if (!message.res) return {}
  const names = Object.keys(message.headers ?? {})
  if (names.includes(requestNodeMark)) return { headers: { 'content-type': mediaType } }
  if (names.some((name) => name.toLowerCase() === 'content-type')) return {}
  return { headers: { ...message.headers, 'content-type': mediaType } }
}

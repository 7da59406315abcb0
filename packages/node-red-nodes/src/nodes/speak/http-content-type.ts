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
  const headers = isHeaders(message.headers) ? message.headers : {}
  const names = Object.keys(headers)
  if (names.includes(requestNodeMark)) return { headers: { 'content-type': mediaType } }
  if (names.some((name) => name.toLowerCase() === 'content-type')) return {}
  return { headers: { ...headers, 'content-type': mediaType } }
}

/** Listing the indexes of a large Buffer, array or text as header names would block Node-RED for seconds. */
function isHeaders(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !ArrayBuffer.isView(value)
  )
}

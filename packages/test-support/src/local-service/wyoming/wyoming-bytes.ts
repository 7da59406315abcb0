/** JSON as Python writes it: with a space after each comma and colon. */
function toPythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toPythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${toPythonJson(member)}`,
  )
  return `{${members.join(', ')}}`
}

/** The bytes that the reference client, the Python package `wyoming` 1.10.2, sends for an event. */
export function referenceBytes(
  type: string,
  data: Readonly<Record<string, unknown>> = {},
  payload: Uint8Array = new Uint8Array(),
): Buffer {
  const hasData = Object.keys(data).length > 0
  const dataBytes = Buffer.from(hasData ? toPythonJson(data) : '')
  const head = toPythonJson({
    type,
    version: '1.10.2',
    ...(hasData && { data_length: dataBytes.length }),
    ...(payload.length > 0 && { payload_length: payload.length }),
  })
  return Buffer.concat([Buffer.from(`${head}\n`), dataBytes, payload])
}

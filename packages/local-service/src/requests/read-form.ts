import { ServiceError } from '../errors/service-error.ts'

/** A part of a multipart form. */
export interface FormPart {
  name: string
  /** Present for files. */
  fileName?: string
  content: Buffer
}

// No valid form is close to these limits.
const maxParts = 64
const maxHeadBytes = 4096
const endOfHead = '\r\n\r\n'

/**
 * Divides a form (`multipart/form-data`) into its parts, in linear time. The body is complete in memory: its size is
 * limited, and a recording can be decoded only after the fields that may follow it.
 * @throws {ServiceError} when the form is malformed.
 */
export function readForm(contentType: string | undefined, body: Buffer): FormPart[] {
  const [, quoted, plain] =
    /^multipart\/form-data;.*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
      contentType ?? '',
    ) ?? []
  const boundary = quoted ?? plain
  if (!boundary) {
    return reject('is not a form; send multipart/form-data with a boundary', 415)
  }
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const parts: FormPart[] = []
  // The first delimiter has no line break before it.
  let start = body.indexOf(delimiter.subarray(2))
  if (start < 0) reject('does not contain its boundary')
  start += delimiter.length - 2
  while (body.toString('latin1', start, start + 2) !== '--') {
    if (parts.length === maxParts) reject(`has more than ${maxParts} parts`)
    const end = body.indexOf(delimiter, start)
    if (end < 0) reject('ends in the middle of a part')
    parts.push(readPart(body.subarray(start + 2, end)))
    start = end + delimiter.length
  }
  return parts
}

function readPart(part: Buffer): FormPart {
  const headBytes = part.subarray(0, maxHeadBytes).indexOf(endOfHead)
  if (headBytes < 0) reject('has a part without a header')
  const head = part.toString('utf8', 0, headBytes)
  const disposition = head.split('\r\n').find((line) => /^content-disposition:/i.test(line)) ?? ''
  // The programs of .NET put no quotes around a name.
  const parameter = (name: string) => {
    const [, quoted, plain] =
      new RegExp(`[;\\s]${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? []
    return quoted ?? plain
  }
  const name = parameter('name')
  if (name === undefined) reject('has a part without a name')
  return {
    name: name!,
    fileName: parameter('filename'),
    content: part.subarray(headBytes + endOfHead.length),
  }
}

function reject(problem: string, httpStatus?: number): never {
  throw new ServiceError('INVALID_ARGUMENT', `The body ${problem}`, httpStatus)
}

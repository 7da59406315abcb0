import { problemText } from '../../remote/read-response.ts'
import type { WyomingConnection } from '../../remote/wyoming/connection.ts'

const maxTranscriptCharacters = 100_000

/**
 * Reads the events of a server up to the transcript. Unknown events are ignored.
 * @throws {Error} if the server reports an error or closes the connection first.
 */
export async function readResult(
  { events }: WyomingConnection,
  { onInterim }: { onInterim: ((text: string) => void) | undefined },
): Promise<string> {
  let soFar = ''
  for await (const { type, data } of events) {
    const { text } = data
    if (type === 'error') throw new Error(`it reports an error: ${problemText({ message: text })}`)
    if (typeof text !== 'string') continue
    if (type === 'transcript') return text.slice(0, maxTranscriptCharacters)
    if (type !== 'transcript-chunk') continue
    soFar = (soFar + text).slice(0, maxTranscriptCharacters)
    onInterim?.(soFar.trim())
  }
  throw new Error('it closed the connection without a transcript')
}

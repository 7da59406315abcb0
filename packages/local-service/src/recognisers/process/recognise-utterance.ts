import { EngineError } from '../../errors/engine-error.ts'
import type { ProgramWork } from '../../processes/restarting-program.ts'
import { recogniserRateHertz } from '../recogniser.ts'
import type { FromRecogniser, ToRecogniser } from './run-recogniser.ts'

export interface UtteranceOptions<Start> {
  /** The name of the program in messages. */
  name: string
  start: Start
  input: Input
  signal: AbortSignal
  onInterim?(text: string): void
  /** The utterance fails if its caller or the program does nothing for this long. */
  stallLimitMs: number
  warn(message: string): void
}

/** The result, and by how much the memory of the program has grown. */
type Outcome = Extract<FromRecogniser, { type: 'ended' }>

// Samples that the program has not taken yet. More would wait in the pipe, where an abort does not reach them.
const windowSamples = recogniserRateHertz
// Small, so that interim results come often and long writes do not delay other utterances.
const pieceSamples = recogniserRateHertz / 5

/**
 * Sends an utterance to the program until the program has the result.
 * @throws {EngineError} if it fails. The signal's reason once the program has cancelled the utterance.
 */
export async function recognise<Start>(
  work: ProgramWork<ToRecogniser<Start>, FromRecogniser>,
  options: UtteranceOptions<Start>,
): Promise<Outcome> {
  const { name, start, input, signal, stallLimitMs } = options
  const sender = createSender(work, options)
  let limit: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      limit = setTimeout(() => sender.stall(reject), stallLimitMs)
      const advance = () => {
        limit?.refresh()
        sender.advance()
      }
      work.onReport = (report) => {
        if (report.type === 'ended') resolve(report)
        else if (report.type === 'cancelled') reject(signal.reason)
        else if (report.type === 'failed') reject(toEngineError(name, report))
        else {
          sender.take(report)
          advance()
        }
      }
      work.send({ type: 'open', start })
      input.onChange = advance
      advance()
    })
  } finally {
    clearTimeout(limit)
    input.onChange = () => {}
  }
}

/** Sends the samples of an utterance as the program wants them. */
function createSender<Start>(
  work: ProgramWork<ToRecogniser<Start>, FromRecogniser>,
  { name, input, signal, onInterim, stallLimitMs, warn }: UtteranceOptions<Start>,
) {
  let untakenSamples = 0
  let isEndingSent = false
  let isEndSent = false
  let lastText: string | undefined
  return {
    /** Sends as much as the program wants. */
    advance(): void {
      if (input.isEnded && !isEndingSent) {
        isEndingSent = true
        work.send({ type: 'ending' })
      }
      while (untakenSamples < windowSamples && input.length > 0) {
        const samples = input.take(pieceSamples)
        untakenSamples += samples.length
        work.send({ type: 'samples', samples })
      }
      if (input.isEnded && input.length === 0 && !isEndSent) {
        isEndSent = true
        work.send({ type: 'end' })
      }
    },
    take({ samples, text }: Extract<FromRecogniser, { type: 'taken' }>): void {
      untakenSamples -= samples
      if (text && text !== lastText && !signal.aborted) onInterim?.(text)
      lastText = text
    },
    /** Nothing has happened for too long. @param fail receives the reason. */
    stall(fail: (error: EngineError) => void): void {
      const seconds = `${stallLimitMs / 1000} s`
      if (untakenSamples === 0 && !isEndSent && !signal.aborted) {
        work.send({ type: 'cancel' })
        fail(new EngineError('timeout', `No audio of the utterance arrived for ${seconds}`))
        return
      }
      const failure = `${name} did not respond for ${seconds}`
      warn(`${failure} and was stopped`)
      fail(new EngineError('timeout', `${failure}. Try again`))
      work.endProcess(failure)
    },
  }
}

function toEngineError(
  name: string,
  { kind, reason }: Extract<FromRecogniser, { type: 'failed' }>,
): EngineError {
  const message = kind === 'input' ? reason : `${name} failed: ${reason}. Try again`
  return new EngineError(kind, message)
}

/** The samples of an utterance that its recogniser has not received yet. */
export class Input {
  /** The number of samples that wait. */
  length = 0
  /** The number of all samples so far. */
  totalLength = 0
  isEnded = false
  /** Called after `push` and `end`. */
  onChange = () => {}
  readonly #pieces: Int16Array[] = []
  #onTake = () => {}

  push(samples: Int16Array): void {
    // A copy, because the caller may reuse its memory.
    this.#pieces.push(samples.slice())
    this.length += samples.length
    this.totalLength += samples.length
    this.onChange()
  }

  end(): void {
    this.isEnded = true
    this.onChange()
  }

  /** Removes the first samples, at most `maxLength`. */
  take(maxLength: number): Int16Array {
    const [first = new Int16Array()] = this.#pieces
    const taken = first.subarray(0, maxLength)
    if (taken.length < first.length) this.#pieces[0] = first.subarray(taken.length)
    else this.#pieces.shift()
    this.length -= taken.length
    this.#onTake()
    // The message to the program would contain the whole memory of a part.
    return taken.length < first.length ? taken.slice() : taken
  }

  /** Resolves when fewer samples wait. */
  async waitUntilBelow(length: number): Promise<void> {
    while (this.length >= length) await new Promise<void>((resolve) => (this.#onTake = resolve))
  }
}

import { onAbort } from '../../concurrency.ts'
import { EngineError } from '../../engine-error.ts'
import type { RunningProgram } from '../../processes/restarting-program.ts'
import { type RecognisedUtterance, recogniserRateHertz } from '../recogniser.ts'
import type { FromParent, FromProgram } from './program.ts'

export interface UtteranceOptions<Start> {
  /** The name of the program in messages. */
  name: string
  /** Unique among the utterances of the process. */
  number: number
  start: Start
  input: Input
  signal: AbortSignal
  onInterim?(text: string): void
  /** The utterance fails if its caller or the program does nothing for so long. */
  stallLimitMs: number
  warn(message: string): void
}

// Samples that the program has not taken yet. More would wait in the pipe, where an abort does not reach them.
const windowSamples = recogniserRateHertz
// Small, so that interim results come often and long writes do not delay other utterances.
const pieceSamples = recogniserRateHertz / 5

/**
 * Sends an utterance to the program until the program has the result.
 * @returns by how much the memory of the program has grown, too.
 * @throws {EngineError} if it fails. The signal's reason after an abort, once the program has cancelled the utterance.
 */
export async function recognise<Info, Start>(
  { child, receivers }: RunningProgram<Info, FromParent<Start>, FromProgram>,
  options: UtteranceOptions<Start>,
): Promise<{ result: RecognisedUtterance; grownBytes: number }> {
  const { name, number: utterance, start, input, signal, onInterim, stallLimitMs, warn } = options
  let untakenSamples = 0
  let isEndSent = false
  let lastText: string | undefined
  let limit: NodeJS.Timeout | undefined
  const cancel = () => child.send({ utterance, type: 'cancel' })

  /** Sends as much as the program wants. */
  const advance = () => {
    limit?.refresh()
    while (untakenSamples < windowSamples && input.length > 0) {
      const samples = input.take(pieceSamples)
      untakenSamples += samples.length
      child.send({ utterance, type: 'samples', samples })
    }
    if (input.isEnded && input.length === 0 && !isEndSent) {
      isEndSent = true
      child.send({ utterance, type: 'end' })
    }
  }

  const take = (samples: number, text: string | undefined) => {
    untakenSamples -= samples
    if (text && text !== lastText && !signal.aborted) onInterim?.(text)
    lastText = text
    advance()
  }

  const stall = () => {
    const seconds = `${stallLimitMs / 1000} s`
    if (untakenSamples === 0 && !isEndSent && !signal.aborted) {
      cancel()
      return new EngineError('timeout', `No audio of the utterance arrived for ${seconds}`)
    }
    warn(`${name} did not respond for ${seconds} and was stopped`)
    void child.end()
    return new EngineError('timeout', `${name} did not respond for ${seconds}. Try again`)
  }

  try {
    return await new Promise((resolve, reject) => {
      const reason = 'its process ended'
      if (!child.isAlive) reject(toEngineError(name, { kind: 'unavailable', reason }))
      receivers.set(utterance, (report) => {
        if (report.type === 'taken') take(report.samples, report.text)
        else if (report.type === 'ended') resolve(report)
        else if (report.type === 'cancelled') reject(signal.reason)
        else reject(toEngineError(name, report))
      })
      limit = setTimeout(() => reject(stall()), stallLimitMs)
      child.send({ utterance, type: 'open', start })
      onAbort(signal, cancel)
      input.onChange = advance
      advance()
    })
  } finally {
    clearTimeout(limit)
    input.onChange = () => {}
    signal.removeEventListener('abort', cancel)
    receivers.delete(utterance)
  }
}

function toEngineError(
  name: string,
  { kind, reason }: Pick<Extract<FromProgram, { type: 'failed' }>, 'kind' | 'reason'>,
): EngineError {
  const message = kind === 'input' ? reason : `${name} failed: ${reason}. Try again`
  return new EngineError(kind, message)
}

/** The samples of an utterance that its recogniser has not received yet. */
export interface Input {
  /** Of the samples that wait. */
  readonly length: number
  /** Of all samples so far. */
  readonly totalLength: number
  readonly isEnded: boolean
  /** Called after `push` and `end`. */
  onChange(): void
  push(samples: Int16Array): void
  end(): void
  /** Removes the first samples, at most `maxLength`. */
  take(maxLength: number): Int16Array
  /** Resolves when fewer samples wait. */
  waitUntilBelow(length: number): Promise<void>
}

export function createInput(): Input {
  const pieces: Int16Array[] = []
  let length = 0
  let totalLength = 0
  let isEnded = false
  let onTake = () => {}
  const input: Input = {
    get length() {
      return length
    },
    get totalLength() {
      return totalLength
    },
    get isEnded() {
      return isEnded
    },
    onChange() {},
    push(samples) {
      // A copy, because the caller may reuse its memory.
      pieces.push(samples.slice())
      length += samples.length
      totalLength += samples.length
      input.onChange()
    },
    end() {
      isEnded = true
      input.onChange()
    },
    take(maxLength) {
      const [first = new Int16Array()] = pieces
      const taken = first.subarray(0, maxLength)
      if (taken.length < first.length) pieces[0] = first.subarray(taken.length)
      else pieces.shift()
      length -= taken.length
      onTake()
      // The message to the program would contain the whole memory of a part.
      return taken.length < first.length ? taken.slice() : taken
    },
    async waitUntilBelow(wanted) {
      while (length >= wanted) await new Promise<void>((resolve) => (onTake = resolve))
    },
  }
  return input
}

/** What prevents the decoding of a recording. */
export type RecordingProblem =
  | 'changed-rate'
  | 'channels'
  | 'damaged'
  | 'endless-header'
  | 'header'
  | 'no-audio'
  | 'rate'
  | 'too-long'
  | 'too-much-memory'
  | 'too-slow'

/** A recording cannot be decoded. The message continues the sentence "The audio …". */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  readonly problem: RecordingProblem
  /** What the message mentions, for messages in other languages. */
  readonly values: Readonly<Record<string, string | number>>

  constructor(
    problem: RecordingProblem,
    values: Readonly<Record<string, string | number>>,
    cause?: unknown,
  ) {
    super(sentences[problem](values), { cause })
    this.problem = problem
    this.values = values
  }

  /** Works across bundles, each of which contains its own copy of the class. */
  static isInstance(error: unknown): error is RecordingError {
    return error instanceof Error && error.name === 'RecordingError'
  }
}

type Values = Readonly<Record<string, string | number>>

const sentences: Readonly<Record<RecordingProblem, (values: Values) => string>> = {
  'changed-rate': ({ from, to }) =>
    `changes its sample rate from ${from} to ${to} Hz; save it again with one rate`,
  channels: ({ channels, max }) =>
    `has ${channels} channels; record it with one, or with up to ${max}`,
  damaged: ({ format }) => `cannot be decoded: the ${format} is damaged`,
  'endless-header': ({ format }) =>
    `cannot be decoded: the header of the ${format} does not end; save it again`,
  header: () => 'has a header that contradicts its sound; save it again as a 16-bit WAV',
  'no-audio': ({ format }) => `cannot be decoded: the ${format} contains no audio`,
  rate: ({ rateHertz }) => `has a sample rate of ${rateHertz} Hz; 8000 to 48000 Hz are usual`,
  'too-long': ({ seconds }) => `is longer than the limit of ${seconds} s; split it`,
  'too-much-memory': () => 'takes too much memory to decode; convert it to WAV',
  'too-slow': ({ seconds }) => `takes longer than ${seconds} s to decode; convert it to WAV`,
}

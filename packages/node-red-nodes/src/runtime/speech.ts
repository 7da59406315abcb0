import type { SpeechChunk, SpeechStream } from '@parlando/core'

/** Speech while it arrives. It can be read once. */
export interface Speech
  extends AsyncIterable<SpeechChunk>,
    Pick<
      SpeechStream,
      'encoding' | 'mediaType' | 'sampleRateHertz' | 'usage' | 'warnings' | 'firstAudioMs'
    > {
  /** Whether it was made before, for another message. */
  readonly isKept?: boolean
}

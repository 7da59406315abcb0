/** Facts about a finished request for the log and the metrics. They contain no text and no key. */
export interface FinishedRequest {
  requestId: string
  method: string
  /** The pattern of the route: `/voices/v1/voices/:voiceId`. */
  route: string
  /** 499 when the caller disconnected before the end, even if the response had started with another status. */
  status: number
  /** The time until the last byte was sent or the caller disconnected. */
  durationMs: number
  speech?: SpeechFacts
  transcription?: TranscriptionFacts
  /** Names of fields that the service ignored: `audioConfig.bitrate`. */
  ignored?: readonly string[]
}

/** How much speech a request has produced so far. */
export interface SpeechFacts {
  modelId: string
  /** Absent for a socket, whose texts may have several voices. */
  voiceId?: string
  /** UTF-16 code units. */
  characters: number
  audioSeconds: number
  /** The time from the arrival of the request to the first encoded audio. */
  firstAudioMs?: number
}

/** How much speech a request has transcribed so far. */
export interface TranscriptionFacts {
  modelId: string
  /** The length of the audio. */
  seconds: number
}

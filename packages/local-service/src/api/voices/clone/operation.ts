import { voiceCloneBodySchema, voiceCloneResponseSchema } from '@parlando/core/wire'
import { named, type Operation } from '../../operation.ts'

// The header of a WAV file, without samples.
const emptyWav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAgD4AAAB9AAACABAAZGF0YQAAAAA='

export const cloneVoiceOperation: Operation = {
  method: 'post',
  path: '/voices/v1/voices:clone',
  summary:
    'Clones a voice from recordings: imitates its pitch, timbre and pace; with keepRecording, a model may speak like them',
  key: 'basic',
  body: named('VoiceCloneBody', voiceCloneBodySchema),
  bodyExample: {
    displayName: 'Me',
    langCode: 'EN_US',
    voiceSamples: [{ audioData: emptyWav, transcription: 'Hi.' }],
    audioProcessingConfig: { removeBackgroundNoise: true },
    keepRecording: false,
    tags: ['warm'],
  },
  responses: { 'application/json': named('VoiceCloneResponse', voiceCloneResponseSchema) },
}

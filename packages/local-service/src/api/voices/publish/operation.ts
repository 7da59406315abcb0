import { type Operation, problem } from '../../operation.ts'

export const publishVoiceOperation: Operation = {
  method: 'post',
  path: '/voices/v1/voices/{voiceId}:publish',
  summary: 'Not supported by this service: responds with code 12, UNIMPLEMENTED',
  key: 'basic',
  responses: { 'application/json': problem },
  status: 501,
}

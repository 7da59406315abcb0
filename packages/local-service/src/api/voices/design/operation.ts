import { type Operation, problem } from '../../operation.ts'

export const designVoiceOperation: Operation = {
  method: 'post',
  path: '/voices/v1/voices:design',
  summary: 'Not supported by this service: responds with code 12, UNIMPLEMENTED',
  key: 'basic',
  responses: { 'application/json': problem },
  status: 501,
}

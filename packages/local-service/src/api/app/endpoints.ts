import { chat } from '../chat/chat.ts'
import { jobFile } from '../jobs/job-files.ts'
import {
  deleteOperation,
  getOperation,
  listOperations,
  pauseOperation,
  resumeOperation,
} from '../jobs/operations.ts'
import { synthesizeAsync } from '../jobs/synthesize-async.ts'
import { synthesizeBatch } from '../jobs/synthesize-batch.ts'
import {
  cancelLocalModel,
  installLocalModel,
  listLocalModels,
  removeLocalModel,
} from '../local-models/local-models.ts'
import { hangUp, listIceServers, startCall } from '../realtime/calls.ts'
import { hostedRealtime, realtime } from '../realtime/realtime.ts'
import { health } from '../service/health.ts'
import { metrics } from '../service/metrics.ts'
import { models, openAiModel, openAiModels } from '../service/models.ts'
import { openapi } from '../service/openapi.ts'
import { audioSpeech } from '../speech/audio-speech.ts'
import { speech, speechStream } from '../speech/speech.ts'
import { speechSocket } from '../speech/speech-socket/speech-socket.ts'
import { audioTranscription } from '../transcription/audio-transcriptions.ts'
import { transcribe } from '../transcription/transcription.ts'
import { transcriptionModels } from '../transcription/transcription-models.ts'
import { transcriptionStream } from '../transcription/transcription-stream.ts'
import { cloneVoice } from '../voices/clone.ts'
import { previewVoice } from '../voices/preview.ts'
import { exportVoice, importVoice } from '../voices/voice-file.ts'
import {
  deleteVoice,
  designVoice,
  getVoice,
  listVoices,
  listVoicesInOlderForm,
  publishVoice,
  updateVoice,
} from '../voices/voices.ts'
import { wakeWordModels, wakeWordStream } from '../wake-words/wake-words.ts'
import type { Endpoint, SocketEndpoint } from './endpoint.ts'

/** Every endpoint of the service, in the order of the OpenAPI description. */
export const endpoints: readonly Endpoint[] = [
  speech,
  speechStream,
  synthesizeAsync,
  synthesizeBatch,
  getOperation,
  listOperations,
  pauseOperation,
  resumeOperation,
  deleteOperation,
  jobFile,
  previewVoice,
  listVoicesInOlderForm,
  listVoices,
  cloneVoice,
  designVoice,
  getVoice,
  updateVoice,
  deleteVoice,
  publishVoice,
  audioSpeech,
  transcribe,
  transcriptionModels,
  wakeWordModels,
  audioTranscription,
  chat,
  startCall,
  hangUp,
  listIceServers,
  openAiModels,
  openAiModel,
  models,
  listLocalModels,
  installLocalModel,
  cancelLocalModel,
  removeLocalModel,
  exportVoice,
  importVoice,
  health,
  metrics,
  openapi,
]

/** Every WebSocket of the service. */
export const socketEndpoints: readonly SocketEndpoint[] = [
  transcriptionStream,
  wakeWordStream,
  speechSocket,
  realtime,
  hostedRealtime,
]

import { audioSpeech } from '../audio-speech.ts'
import { audioTranscription } from '../audio-transcriptions.ts'
import { hangUp, listIceServers, startCall } from '../calls.ts'
import { chat } from '../chat.ts'
import { cloneVoice } from '../clone.ts'
import { health } from '../health.ts'
import { jobFile } from '../job-files.ts'
import {
  cancelLocalModel,
  installLocalModel,
  listLocalModels,
  removeLocalModel,
} from '../local-models.ts'
import { metrics } from '../metrics.ts'
import { models, openAiModel, openAiModels } from '../models.ts'
import { openapi } from '../openapi.ts'
import {
  deleteOperation,
  getOperation,
  listOperations,
  pauseOperation,
  resumeOperation,
} from '../operations.ts'
import { previewVoice } from '../preview.ts'
import { hostedRealtime, realtime } from '../realtime.ts'
import { speech, speechStream } from '../speech.ts'
import { speechSocket } from '../speech-socket.ts'
import { synthesizeAsync } from '../synthesize-async.ts'
import { synthesizeBatch } from '../synthesize-batch.ts'
import { transcribe } from '../transcription.ts'
import { transcriptionModels } from '../transcription-models.ts'
import { transcriptionStream } from '../transcription-stream.ts'
import { exportVoice, importVoice } from '../voice-file.ts'
import {
  deleteVoice,
  designVoice,
  getVoice,
  listVoices,
  listVoicesInOlderForm,
  publishVoice,
  updateVoice,
} from '../voices.ts'
import { wakeWordModels, wakeWordStream } from '../wake-words.ts'
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

import { audioSpeech } from './audio-speech/route.ts'
import { chat } from './chat/route.ts'
import type { Endpoint } from './endpoint.ts'
import { health } from './health/route.ts'
import {
  cancelLocalModel,
  installLocalModel,
  listLocalModels,
  removeLocalModel,
} from './local-models/route.ts'
import { metrics } from './metrics/route.ts'
import { models, openAiModel, openAiModels } from './models/route.ts'
import { openapi } from './openapi/route.ts'
import { hangUp, listIceServers, startCall } from './realtime/calls/route.ts'
import { speech, speechStream } from './speech/route.ts'
import { transcriptionModels } from './transcription/models/route.ts'
import { audioTranscription } from './transcription/openai/route.ts'
import { transcribe } from './transcription/whole/route.ts'
import { cloneVoice } from './voices/clone/route.ts'
import {
  deleteVoice,
  designVoice,
  getVoice,
  listVoices,
  listVoicesInOlderForm,
  publishVoice,
  updateVoice,
} from './voices/list/route.ts'
import { previewVoice } from './voices/preview/route.ts'

/** Every endpoint of the service, in the order of the OpenAPI description. */
export const endpoints: readonly Endpoint[] = [
  speech,
  speechStream,
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
  health,
  metrics,
  openapi,
]

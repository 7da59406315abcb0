import { startEditor } from '../editor/start-editor.ts'
import { addressForm } from './address/address.form.ts'
import { announceForm } from './announce/announce.form.ts'
import { askForm } from './ask/ask.form.ts'
import { chatForm } from './chat/chat.form.ts'
import { cloneVoiceForm } from './clone-voice/clone-voice.form.ts'
import { converseForm } from './converse/converse.form.ts'
import { listenForm } from './listen/listen.form.ts'
import { mcpAccessForm } from './mcp-access/mcp-access.form.ts'
import { mcpServerForm } from './mcp-server/mcp-server.form.ts'
import { microphoneForm } from './microphone/microphone.form.ts'
import { playForm } from './play/play.form.ts'
import { readAloudForm } from './read-aloud/read-aloud.form.ts'
import { remindForm } from './remind/remind.form.ts'
import { serviceForm } from './service/service.form.ts'
import { speakForm } from './speak/speak.form.ts'
import { speakerForm } from './speaker/speaker.form.ts'
import { voicesForm } from './voices/voices.form.ts'

/** The form of each node. This file becomes resources/editor.js, which the HTML of each node loads. */
export const forms = {
  'parlando-address': addressForm,
  'parlando-announce': announceForm,
  'parlando-ask': askForm,
  'parlando-chat': chatForm,
  'parlando-clone-voice': cloneVoiceForm,
  'parlando-converse': converseForm,
  'parlando-listen': listenForm,
  'parlando-mcp-access': mcpAccessForm,
  'parlando-mcp-server': mcpServerForm,
  'parlando-microphone': microphoneForm,
  'parlando-play': playForm,
  'parlando-read-aloud': readAloudForm,
  'parlando-remind': remindForm,
  'parlando-service': serviceForm,
  'parlando-speak': speakForm,
  'parlando-speaker': speakerForm,
  'parlando-voices': voicesForm,
}

startEditor(forms)

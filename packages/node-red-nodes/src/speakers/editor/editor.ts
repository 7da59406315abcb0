import type { NodeAPI } from 'node-red'
import { createBrowsers } from '../browser/browsers.ts'
import { editorTopic } from '../browser/commands.ts'
import { addBrowserRoutes } from '../browser/report.ts'
import type { Driver } from '../driver.ts'
import { SpeakerError, speakerClosed } from '../speaker-error.ts'
import type { SpeakerKind } from '../speaker-kind.ts'

/** There is one editor for all speakers. */
export function editorSpeaker(RED: NodeAPI): SpeakerKind {
  const driver = createEditorDriver(RED)
  return { create: () => driver, devices: () => ['editor'], isBuiltIn: true }
}

/** Plays sounds in the browser tab that has the editor open. Called once: it adds routes. */
export function createEditorDriver(RED: NodeAPI): Driver {
  const browsers = createBrowsers({
    publish(command) {
      // Everyone who may see the status of nodes receives it, also without the permission to listen.
      const silent = command.type === 'offer' ? { ...command, text: '' } : command
      RED.comms.publish(editorTopic, silent, false)
      return undefined
    },
    isForAll: false,
    responseMs: 600,
    closed: () => speakerClosed(RED),
    notPlayed: () =>
      new SpeakerError('SPEAKER_NOT_REACHABLE', RED._('speaker.error.not-played-in-browser')),
    noPlayer(isLocked) {
      const key = isLocked ? 'editor-locked' : 'editor-closed'
      return new SpeakerError('NO_PLAYER', RED._(`speaker.error.${key}`))
    },
  })
  addBrowserRoutes(
    RED.httpAdmin,
    '/parlando/editor-speaker',
    () => browsers,
    RED.auth.needsPermission('parlando.read'),
  )
  // Other speakers may use it.
  return { ...browsers, async close() {} }
}

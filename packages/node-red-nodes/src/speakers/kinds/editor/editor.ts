import type { NodeAPI } from 'node-red'
import { packageState } from '../../../runtime/package-state.ts'
import { addBrowserRoutes } from '../../browser/browser-routes.ts'
import { createBrowsers } from '../../browser/browsers.ts'
import { editorTopic } from '../../browser/commands.ts'
import type { Driver } from '../../driver.ts'
import { notPlayedInBrowser, SpeakerError, speakerClosed } from '../../speaker-error.ts'
import type { SpeakerKind } from '../../speaker-kind.ts'

/** There is one editor for all speakers. */
export function editorSpeaker(RED: NodeAPI): SpeakerKind {
  const driver = createEditorDriver(RED)
  return { create: () => driver, devices: () => ['editor'], isBuiltIn: true }
}

/** Plays sounds in the browser tab that has the editor open. Called once: it adds routes. */
export function createEditorDriver(RED: NodeAPI): Driver {
  const tabs = packageState('editorTabs', () => followTabs(RED))
  const browsers = createBrowsers({
    publish(command) {
      // Everyone who may see the status of nodes receives it, also without the permission to listen.
      const silent = command.type === 'offer' ? { ...command, text: '' } : command
      RED.comms.publish(editorTopic, silent, false)
      return undefined
    },
    // When nodes are installed into a running Node-RED, tabs are open already, so their number is not known.
    isConnected: () => tabs.size > 0,
    isForAll: false,
    responseMs: 600,
    closed: () => speakerClosed(RED),
    notPlayed: () => notPlayedInBrowser(RED),
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

/** @returns the sessions of the open tabs, as far as this package has seen them open. */
function followTabs(RED: NodeAPI): ReadonlySet<string> {
  const tabs = new Set<string>()
  RED.events.on('comms:connection-added', ({ session }) => tabs.add(session))
  RED.events.on('comms:connection-removed', ({ session }) => tabs.delete(session))
  return tabs
}

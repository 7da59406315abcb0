import type { NodeAPI } from 'node-red'
import { type Browsers, createBrowsers } from '../browser/browsers.ts'
import { addBrowserRoutes } from '../browser/report.ts'
import type { Driver } from '../driver.ts'
import { SpeakerError } from '../speaker-error.ts'

/** The topic of the editor's own connection on which the commands arrive. */
export const editorTopic = 'parlando/speaker'

// One for all nodes: there is only one editor.
const editors = new WeakMap<NodeAPI, Browsers>()

/** Plays sounds in the browser tab that has the editor open. */
export function createEditorDriver(RED: NodeAPI): Driver {
  const browsers = editors.get(RED) ?? createEditor(RED)
  editors.set(RED, browsers)
  // Other nodes may use it.
  return { ...browsers, async close() {} }
}

function createEditor(RED: NodeAPI): Browsers {
  const browsers = createBrowsers({
    publish: (command) => RED.comms.publish(editorTopic, command, false),
    isForAll: false,
    noPlayer: (isLocked) =>
      new SpeakerError(
        'NO_PLAYER',
        RED._(`speaker.error.editor-${isLocked ? 'locked' : 'closed'}`),
      ),
  })
  addBrowserRoutes(
    RED.httpAdmin,
    '/parlando/editor-speaker',
    () => browsers,
    RED.auth.needsPermission('parlando.read'),
  )
  return browsers
}

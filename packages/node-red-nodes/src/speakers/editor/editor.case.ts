import { createBrowserCase } from '../browser/browser.case.ts'
import type { CreateDriverCase } from '../driver-case.ts'
import { createEditorDriver } from './editor.ts'

const createCase: CreateDriverCase = () =>
  createBrowserCase({
    path: '/parlando/editor-speaker',
    createDriver: ({ RED }) => createEditorDriver(RED),
    // Another Node-RED, which nobody has opened.
    createBroken: ({ RED }) => createEditorDriver({ ...RED, comms: { publish() {} } }),
    async connect(server, onCommand) {
      server.onEditorCommand = onCommand
    },
  })

export default createCase

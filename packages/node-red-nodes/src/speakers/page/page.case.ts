import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createBrowserCase } from '../browser/browser.case.ts'
import type { CreateDriverCase } from '../driver-case.ts'
import { createPageDriver } from './page.ts'

const createCase: CreateDriverCase = () =>
  createBrowserCase({
    path: '/parlando/speaker/kitchen',
    createDriver: ({ RED }) => createPageDriver(RED, 'Kitchen'),
    createBroken: ({ RED }) => createPageDriver(RED, 'Cellar'),
    async connect({ baseUrl }, onCommand, signal) {
      const url = `${baseUrl}/parlando/speaker/kitchen/events?player=browser`
      const { body } = await fetch(url, { signal })
      const lines = createInterface(Readable.fromWeb(body! as never))
      const read = async () => {
        for await (const line of lines) {
          if (line.startsWith('data: ')) onCommand(JSON.parse(line.slice('data: '.length)))
        }
      }
      // It ends with the error of the abort.
      read().catch(() => {})
    },
  })

export default createCase

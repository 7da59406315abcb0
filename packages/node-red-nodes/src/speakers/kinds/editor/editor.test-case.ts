import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { openEditorTab } from '@parlando/test-support/speakers/simulated-browser'
import type { CreateDriverCase } from '../../test-suites/driver-test-case.ts'
import { createEditorDriver } from './editor.ts'

const createCase: CreateDriverCase = async () => {
  const http = await startFakeHttpRed()
  const closed = await startFakeHttpRed()
  const tab = openEditorTab(http)
  return {
    driver: createEditorDriver(http.RED),
    record: tab.record,
    broken: { driver: createEditorDriver(closed.RED), code: 'NO_PLAYER' },
    async close() {
      tab.close()
      await http.close()
      await closed.close()
    },
  }
}

export default createCase

// The time from a request to the first audio of the service.
import { parseArgs } from 'node:util'
import { measureFastestModel } from './latency/fastest-model.js'
import { measureService } from './latency/service.js'
import { report } from './shared/report.js'
import { withLocalService } from './shared/with-local-service.js'

const { values } = parseArgs({ options: { json: { type: 'string' } } })
await withLocalService(async (connection) => {
  const allModels = await measureService(connection)
  const fastestModel = await measureFastestModel(connection)
  report({
    bench: 'latency',
    rows: [...allModels.rows, ...fastestModel.rows],
    goals: [...allModels.goals, ...fastestModel.goals],
    jsonPath: values.json,
  })
})

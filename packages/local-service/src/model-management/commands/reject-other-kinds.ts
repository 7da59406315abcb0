import { installFolderOf } from '../../models/install/install-folder.ts'
import { listInstalled } from '../../models/install/install-record.ts'
import type { ModelCommand } from './command.ts'

/** @throws {Error} if a name is that of an installed model of another kind, such as that of a recogniser among voices. */
export async function rejectOtherKinds(command: ModelCommand): Promise<void> {
  const { kind, action, names, dataFolder } = command
  const installed = await listInstalled(installFolderOf(dataFolder))
  const other = installed.find((model) => names.includes(model.name) && model.kind !== kind)
  if (!other) return
  throw new Error(
    `${other.name} is not a ${kind}. Use parlando-local ${other.kind}s ${action} ${other.name}`,
  )
}

export { type AppOptions, createApp } from './api/app.ts'
export type { LocalServiceOptions, LogLevel } from './config/options.ts'
export {
  type ChildService,
  type ChildServiceOptions,
  startLocalServiceProcess,
} from './process.ts'
export { type LocalService, startLocalService } from './service.ts'

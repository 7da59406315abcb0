export { type AppOptions, createApp } from './app.ts'
export {
  type ChildService,
  type ChildServiceOptions,
  startLocalServiceProcess,
} from './child-process.ts'
export { type LocalService, startLocalService } from './listen.ts'
export type { LocalServiceOptions, LogLevel } from './options.ts'

export { type AppOptions, createApp } from './api/app/app.ts'
export type { LogLevel } from './log.ts'
export type { LocalServiceOptions } from './options.ts'
export { type LocalService, startLocalService } from './service.ts'

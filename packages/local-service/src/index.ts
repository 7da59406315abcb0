export { type AppOptions, createApp } from './app.ts'
export { type ChildServiceOptions, startLocalServiceProcess } from './child-process.ts'
export { type LocalService, type LocalServiceOptions, startLocalService } from './listen.ts'

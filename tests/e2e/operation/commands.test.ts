import { onOnePlatform } from '../../builders/platform/shared.ts'
import { commandLine } from './commands/command-line.ts'
import { demo, offered } from './commands/demo.ts'
import { init } from './commands/init.ts'

// The first is about a platform that knows nothing.
onOnePlatform({
  'before anything': offered,
  'the command line': commandLine,
  'the first user': init,
  'the demonstration': demo,
})

import { onOnePlatform } from '../../builders/platform/shared.ts'
import { changes } from './told/changes.ts'
import { socket } from './told/socket.ts'

onOnePlatform({ 'the stream of changes': changes, 'the socket': socket })

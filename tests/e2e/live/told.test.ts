import { onOnePlatform } from '../../builders/platform/shared.ts'
import { changes } from './told/changes.ts'
import { rescored } from './told/rescored.ts'
import { socket } from './told/socket.ts'

// The last makes other rules live.
onOnePlatform({ 'the stream of changes': changes, 'the socket': socket, 'other rules': rescored })

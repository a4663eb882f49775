import { onOnePlatform } from '../../builders/platform/shared.ts'
import { fading } from './scores/fading.ts'
import { propagation } from './scores/propagation.ts'
import { toldAgain } from './scores/told-again.ts'

// The first counts all there is; the last compares what all of them left.
onOnePlatform({ 'what fades and is taken back': fading, 'what is well known': propagation, 'a replay': toldAgain })

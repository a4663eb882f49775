import { onOneStore } from '../../builders/history/shared.ts'
import { lookUps } from './suite.ts'

onOneStore({ 'look-ups': lookUps })

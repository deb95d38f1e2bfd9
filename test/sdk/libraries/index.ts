/** All of them. A new one is a file of this folder and a line here, and then keeps every behaviour. */
import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import type { LibraryOf } from './library.ts'
import { ollama } from './ollama.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

export const LIBRARIES: readonly LibraryOf[] = [anthropic, openaiChat, openaiResponses, google, ollama, ...aiSdk]

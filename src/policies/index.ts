export { createChatPolicy } from "./chat/chat-policy.js";
export type { ChatPolicyOptions, ChatSurface, ReasoningForm } from "./chat/config.js";

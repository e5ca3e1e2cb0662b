/**
 * A running conversation as the session commands see it.
 *
 * @module
 */

import type { Agent } from "../agent/agent.ts";
import type { Session } from "../agent/session.ts";
import { SessionStore } from "../agent/session_store.ts";
import type { Conversation } from "./conversation.ts";
import { findSession } from "./open_session.ts";
import type { Setup } from "./setup.ts";

/** Goes from one session to another. */
export class KeptConversation {
  readonly #conversation: Conversation;
  readonly #setup: Setup;

  constructor(conversation: Conversation, setup: Setup) {
    this.#conversation = conversation;
    this.#setup = setup;
  }

  get agent(): Agent {
    return this.#conversation.agent;
  }

  get session(): Session {
    return this.#setup.session;
  }

  /** The working folder, canonical. */
  get cwd(): string {
    return this.#setup.cwd;
  }

  /** Absent where it is not known where sessions are kept. */
  get store(): SessionStore | undefined {
    const { data } = this.#setup.config.folders;
    return data === undefined ? undefined : new SessionStore(data);
  }

  /** A text without the keys that are known. */
  readonly redact = (text: string): string => this.#setup.redactor.redact(text);

  /**
   * Goes on with another session. Returns what the person must know of it.
   *
   * @throws {ConfigError} If it cannot be had.
   * @throws {Error} If it belongs to another folder.
   */
  async resume(id: string): Promise<string[]> {
    if (this.session.id.startsWith(id.toLowerCase())) throw new Error("This is the session that you are in");
    return await this.#goTo({ resume: id, fork: false });
  }

  /**
   * Goes on with a copy.
   *
   * @throws {Error} If the session is not saved, or nothing was said yet.
   */
  async fork(): Promise<void> {
    if (!this.session.isKept) throw new Error("Cannot copy the session: nothing of it is saved");
    await this.#goTo({ resume: this.session.id, fork: true });
  }

  /** Goes back to before a turn. */
  async rewind(turn: number): Promise<void> {
    await this.session.add({ type: "rewind", turn });
    this.agent.resume(this.session.state.past());
    this.#conversation.watchFromHere();
  }

  async #goTo(wanted: { resume: string; fork: boolean }): Promise<string[]> {
    const { cwd, config, options } = this.#setup;
    const { save } = options;
    const search = { options: { continue: false, save, ...wanted }, here: cwd, dataFolder: config.folders.data };
    const found = await findSession(search);
    const session = found.open(this.redact);
    if (found.cwd !== cwd) {
      await session[Symbol.asyncDispose]();
      throw new Error(`The session belongs to "${found.cwd}": start mini-agent --resume ${wanted.resume} for it`);
    }
    await this.#conversation.switchTo(session);
    return found.notices;
  }
}

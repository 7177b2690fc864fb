// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

/** The store of a run, and what can happen to it. */
interface Store extends AutoCloseable {
    /** For variants without one. */
    Store NONE = new Store() {};

    /** Where it is, for the key {@code flexpool.fleet.uri}; empty if that needs no key. */
    default String uri() {
        return "";
    }

    /** Makes it as it is before anybody has used it. */
    default void reset() throws Exception {}

    /** Lets it not answer. */
    default void stop() throws Exception {}

    /** Lets it answer again, with what it knew. */
    default void startAgain() throws Exception {}

    /** Lets it forget all. */
    default void empty() throws Exception {}

    @Override
    default void close() {}
}

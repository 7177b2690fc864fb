// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import java.util.List;
import java.util.Set;

/**
 * Who or what is the reason, as far as an explanation can know it.
 *
 * @param words what the evidence must have, all of it; empty if there is nothing to name
 * @param sessions the only sessions that it may name
 */
record Culprit(List<String> words, Set<Long> sessions) {
    static final Culprit NONE = new Culprit(List.of(), Set.of());

    /** Something without a session. */
    static Culprit of(String word) {
        return new Culprit(List.of(word), Set.of());
    }

    /** A session, by its number and by who has it. */
    static Culprit of(long session, String whose) {
        return new Culprit(List.of("session " + session, whose), Set.of(session));
    }

    /** The same where the culprit itself waits for another session. */
    Culprit behind(long session) {
        return new Culprit(words, Set.of(sessions.iterator().next(), session));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * How many requests can be answered in time, whatever their class: each connection goes to the newest request, whose lease has the
 * longest time, and to none whose lease would end too late.
 */
final class Oracle {
    private Oracle() {}

    /**
     * Plays all requests to their end, in virtual time.
     *
     * @param asks in the order of their times
     * @return those that were answered in time
     */
    static List<Answer> play(int connections, List<Ask> asks) {
        PriorityQueue<Double> free = new PriorityQueue<>(Collections.nCopies(connections, 0.0));
        Deque<Ask> newest = new ArrayDeque<>();
        List<Answer> answers = new ArrayList<>();
        int next = 0;
        while (next < asks.size() || !newest.isEmpty()) {
            double at = free.remove();
            while (next < asks.size() && asks.get(next).at() <= at) {
                newest.push(asks.get(next++));
            }
            Ask ask = newest.isEmpty() ? asks.get(next++) : newest.pop();
            Answer answer = new Answer(ask, Math.max(at, ask.at()) - ask.at(), 0, true);
            free.add(answer.inTime() ? ask.at() + answer.waited() + ask.work() : at);
            if (answer.inTime()) {
                answers.add(answer);
            }
        }
        return answers;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Requests in virtual time: what a way to share makes of them, exactly and each time the same. */
final class VirtualPlay {
    private final Sharing sharing;
    private final VirtualShare share;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<Ask, Answer> answers = new HashMap<>();

    /** At the same moment leases end before requests give up, and new ones come last. */
    private enum What {
        ENDS,
        LEAVES,
        ASKS
    }

    private record Event(double at, What what, Ask ask) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime == 0 ? what.compareTo(other.what) : byTime;
        }
    }

    private VirtualPlay(Sharing sharing, Shape shape) {
        this.sharing = sharing;
        this.share = VirtualShare.of(sharing, shape);
    }

    /** Plays all requests to their end. */
    static List<Answer> play(Sharing sharing, Shape shape, List<Ask> asks) {
        VirtualPlay play = new VirtualPlay(sharing, shape);
        asks.forEach(ask -> play.events.add(new Event(ask.at(), What.ASKS, ask)));
        Event next;
        while ((next = play.events.poll()) != null) {
            play.happens(next);
        }
        return new ArrayList<>(play.answers.values());
    }

    private void happens(Event event) {
        Ask ask = event.ask();
        switch (event.what()) {
            case ASKS -> {
                List<Ask> served = share.asks(ask, event.at());
                double leaves = Math.min(event.at() + sharing.patience(ask), share.until(ask));
                events.add(new Event(leaves, What.LEAVES, ask));
                begin(served, event.at());
            }
            case ENDS -> begin(share.ends(ask, event.at()), event.at());
            case LEAVES -> {
                if (!answers.containsKey(ask) && share.leaves(ask, event.at())) {
                    answers.put(ask, new Answer(ask, event.at() - ask.at(), 0, false));
                }
            }
        }
    }

    private void begin(List<Ask> served, double now) {
        for (Ask ask : served) {
            answers.put(ask, new Answer(ask, now - ask.at(), 0, true));
            events.add(new Event(now + ask.work(), What.ENDS, ask));
        }
    }
}

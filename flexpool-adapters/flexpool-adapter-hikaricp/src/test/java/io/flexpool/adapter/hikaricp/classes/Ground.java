// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import java.util.List;

/** Where requests are played. */
interface Ground {
    /** Virtual time, with the gate and the limiter themselves. */
    Ground VIRTUAL = new Ground() {
        @Override
        public List<Answer> play(Sharing sharing, Shape shape, List<Ask> asks) {
            return VirtualPlay.play(sharing, shape, asks);
        }

        @Override
        public String variant(Sharing sharing) {
            return "virtual-" + sharing;
        }
    };

    /** Plays requests to their end. */
    List<Answer> play(Sharing sharing, Shape shape, List<Ask> asks) throws InterruptedException;

    /** What a report calls a way to share here. */
    default String variant(Sharing sharing) {
        return sharing.toString();
    }
}

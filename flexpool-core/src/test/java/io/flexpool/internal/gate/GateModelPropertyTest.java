// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import io.flexpool.pool.Ticker;
import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.Transformer;

/** Any sequence of calls to a gate, one after the other, does what a plain model does. */
class GateModelPropertyTest {
    @Property(tries = 500)
    void theGateDoesWhatThePlainModelDoes(@ForAll("sequences") ActionChain<GatePropertyModel> sequence) {
        sequence.withInvariant("gate and model agree", GatePropertyModel::compare)
                .run()
                .drain();
    }

    Gate gate(int limit, Ticker clock) {
        return new Gate(limit, clock);
    }

    @Provide
    Arbitrary<ActionChain<GatePropertyModel>> sequences() {
        return ActionChain.startWith(() -> new GatePropertyModel(this::gate))
                .withAction(4, Action.just(Transformer.mutate("try to enter", GatePropertyModel::tryEnter)))
                .withAction(4, Action.just(Transformer.mutate("join", GatePropertyModel::join)))
                .withAction(4, exit())
                .withAction(2, look())
                .withAction(2, leave())
                .withAction(2, limit())
                .withAction(1, foreign())
                .withAction(2, pass())
                .withMaxTransformations(60);
    }

    private static Action<GatePropertyModel> exit() {
        return Action.when(GatePropertyModel::anybodyIn).describeAs("exit").justMutate(GatePropertyModel::exit);
    }

    /** An action that is possible while a request waits, or was granted a permit and has not noticed. */
    private abstract static class OfAWaiter implements Action.Independent<GatePropertyModel> {
        @Override
        public boolean precondition(GatePropertyModel state) {
            return state.anybodyToLook();
        }

        static Arbitrary<Integer> which() {
            return Arbitraries.integers().between(0, 5);
        }
    }

    private static Action<GatePropertyModel> look() {
        return new OfAWaiter() {
            @Override
            public Arbitrary<Transformer<GatePropertyModel>> transformer() {
                return which().map(which -> Transformer.mutate("look " + which, state -> state.look(which)));
            }
        };
    }

    private static Action<GatePropertyModel> leave() {
        return new OfAWaiter() {
            @Override
            public Arbitrary<Transformer<GatePropertyModel>> transformer() {
                return which().map(which -> Transformer.mutate("leave " + which, state -> state.leave(which)));
            }
        };
    }

    private static Action<GatePropertyModel> limit() {
        return (Action.Independent<GatePropertyModel>) () -> Arbitraries.integers()
                .between(1, 6)
                .map(limit -> Transformer.mutate("limit " + limit, state -> state.limit(limit)));
    }

    private static Action<GatePropertyModel> foreign() {
        return (Action.Independent<GatePropertyModel>) () -> Arbitraries.integers()
                .between(0, 3)
                .map(count -> Transformer.mutate("foreign " + count, state -> state.foreign(count)));
    }

    /** Up to a little beyond the time after which the order counts, and often to that very nanosecond. */
    private static Action<GatePropertyModel> pass() {
        return (Action.Independent<GatePropertyModel>) () -> Arbitraries.oneOf(
                        Arbitraries.longs().between(0, 2 * Gate.ORDER_AFTER_NANOS),
                        Arbitraries.of(1L, Gate.ORDER_AFTER_NANOS, Gate.ORDER_AFTER_NANOS + 1))
                .map(nanos -> Transformer.mutate("pass " + nanos, state -> state.pass(Duration.ofNanos(nanos))));
    }
}

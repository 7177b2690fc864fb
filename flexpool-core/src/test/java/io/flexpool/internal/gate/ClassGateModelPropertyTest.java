// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.ActionChainArbitrary;
import net.jqwik.api.state.Transformer;

/** Any sequence of calls to a gate with classes, one after the other, does what a plain model allows. */
class ClassGateModelPropertyTest {
    @Property(tries = 500)
    void theGateDoesWhatThePlainModelAllows(@ForAll("sequences") ActionChain<ClassGateModel> sequence) {
        sequence.withInvariant("gate and model agree", ClassGateModel::compare)
                .run()
                .drain();
    }

    @Provide
    Arbitrary<ActionChain<ClassGateModel>> sequences() {
        ActionChainArbitrary<ClassGateModel> chain = ActionChain.startWith(ClassGateModel::new)
                .withAction(
                        4, step(classes().map(its -> Transformer.mutate("enter " + its, model -> model.tryEnter(its)))))
                .withAction(6, step(join()))
                .withAction(2, ofAWaiter("look", ClassGateModel::look))
                .withAction(2, ofAWaiter("leave", ClassGateModel::leave))
                .withAction(
                        2,
                        step(Arbitraries.integers()
                                .between(1, 6)
                                .map(limit -> Transformer.mutate("limit " + limit, model -> model.limit(limit)))))
                .withAction(
                        1,
                        step(Arbitraries.integers()
                                .between(0, 3)
                                .map(count -> Transformer.mutate("foreign " + count, model -> model.foreign(count)))))
                .withAction(3, step(pass()));
        for (int requestClass = 0; requestClass < ClassGateModel.SHARES.size(); requestClass++) {
            int its = requestClass;
            chain = chain.withAction(
                    2,
                    Action.<ClassGateModel>when(model -> model.anybodyIn(its))
                            .describeAs("exit " + its)
                            .justMutate(model -> model.exit(its)));
        }
        return chain.withMaxTransformations(60);
    }

    private static Arbitrary<Integer> classes() {
        return Arbitraries.integers().between(0, ClassGateModel.SHARES.size() - 1);
    }

    private static Action<ClassGateModel> step(Arbitrary<Transformer<ClassGateModel>> steps) {
        return (Action.Independent<ClassGateModel>) () -> steps;
    }

    private static Arbitrary<Transformer<ClassGateModel>> join() {
        Arbitrary<Long> patience = Arbitraries.of(0L, 1L, Gate.ORDER_AFTER_NANOS, 2 * Gate.ORDER_AFTER_NANOS);
        return Combinators.combine(classes(), Arbitraries.of(true, false), patience)
                .as((its, holds, nanos) -> Transformer.mutate(
                        "join " + its + (holds ? " holding" : "") + " for " + nanos,
                        model -> model.join(its, holds, nanos)));
    }

    /** A step of a waiter, by its number. */
    @FunctionalInterface
    private interface OfAWaiter {
        void step(ClassGateModel model, int which);
    }

    private static Action<ClassGateModel> ofAWaiter(String what, OfAWaiter step) {
        return new Action.Independent<>() {
            @Override
            public boolean precondition(ClassGateModel state) {
                return state.anybodyToLook();
            }

            @Override
            public Arbitrary<Transformer<ClassGateModel>> transformer() {
                return Arbitraries.integers()
                        .between(0, 5)
                        .map(which -> Transformer.mutate(what + " " + which, model -> step.step(model, which)));
            }
        };
    }

    /** Up to a little beyond the time after which the order counts, and often to that very nanosecond. */
    private static Arbitrary<Transformer<ClassGateModel>> pass() {
        return Arbitraries.oneOf(
                        Arbitraries.longs().between(0, 2 * Gate.ORDER_AFTER_NANOS),
                        Arbitraries.of(1L, Gate.ORDER_AFTER_NANOS, Gate.ORDER_AFTER_NANOS + 1))
                .map(nanos -> Transformer.mutate("pass " + nanos, model -> model.pass(Duration.ofNanos(nanos))));
    }
}

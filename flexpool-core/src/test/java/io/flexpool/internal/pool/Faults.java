// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.failure.ConnectFailures;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.AdmissionState;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.gate.ClassWaiter;
import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.QueueTime;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.CallSites;
import io.flexpool.internal.lease.LeaseTable;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.lease.Slot;
import io.flexpool.internal.record.ClassRecorder;
import io.flexpool.internal.record.Recorder;
import io.flexpool.internal.record.SharedHistogram;
import io.flexpool.internal.record.SlotRecords;
import io.flexpool.internal.record.StripedCounter;
import io.flexpool.internal.resize.StartAlignment;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.function.Supplier;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;
import org.mockito.internal.PremainAttach;

/**
 * Throws at the begin of any of the methods that an acquisition and a close go through, also of the constructors: so as a
 * stack without room for the call does, or a heap without room for the object. The classes are changed where they are, for as
 * long as a test lasts; only what the thread does that is {@linkplain #arm armed} is counted and hit.
 */
public final class Faults implements AutoCloseable {
    /** What stands on the way of one call. */
    private static final List<Class<?>> WAY = List.of(
            AcquiringPool.class,
            Admission.class,
            Unlimited.class,
            Limited.class,
            ByClass.class,
            ConnectionSource.class,
            LeaseNotices.class,
            ConnectionReturn.class,
            AdmissionState.class,
            PoolContext.class,
            StartAlignment.class,
            SlowPath.class,
            SlowRequest.class,
            RequestAttempts.class,
            PermitWait.class,
            RequestFailure.class,
            Consultation.class,
            LeaseTracker.class,
            LeaseTable.class,
            Slot.class,
            Gate.class,
            named("io.flexpool.internal.gate.GatePermits"),
            named("io.flexpool.internal.gate.WaitLine"),
            named("io.flexpool.internal.gate.WaitLine$OneQueue"),
            named("io.flexpool.internal.gate.WaitQueue"),
            RequestClasses.class,
            ClassGate.class,
            named("io.flexpool.internal.gate.ClassQueues"),
            named("io.flexpool.internal.gate.ClassTime"),
            named("io.flexpool.internal.gate.TenantQueue"),
            named("io.flexpool.internal.gate.Flow"),
            named("io.flexpool.internal.gate.LeaseLengths"),
            ClassWaiter.class,
            ClassRecorder.class,
            named("io.flexpool.internal.lease.EndedByClass"),
            Waiter.class,
            QueueTime.class,
            Recorder.class,
            SharedHistogram.class,
            SlotRecords.class,
            StripedCounter.class,
            CallSites.class,
            NestedAcquisitions.class,
            Circuit.class,
            FailureHandler.class,
            named("io.flexpool.internal.failure.FailureClassifier"),
            ConnectFailures.class,
            FailedAttempt.class,
            ListenerGuard.class,
            LeasedConnection.class);

    /** Of a class that only its room sees. */
    private static Class<?> named(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static volatile @Nullable Thread armed;
    private static int calls;
    private static int depth;
    private static int failAtCall = -1;
    private static int failAtDepth = Integer.MAX_VALUE;
    private static Supplier<Error> error = StackOverflowError::new;

    private final Instrumentation instrumentation = PremainAttach.getInstrumentation();

    public Faults() {
        ClassReloadingStrategy inPlace =
                new ClassReloadingStrategy(instrumentation, ClassReloadingStrategy.Strategy.RETRANSFORMATION);
        for (Class<?> type : WAY) {
            new ByteBuddy()
                    .redefine(type, ClassFileLocator.ForClassLoader.of(type.getClassLoader()))
                    .visit(Advice.to(Hit.class)
                            .on(ElementMatchers.isMethod().and(ElementMatchers.not(ElementMatchers.isAbstract()))))
                    .visit(Advice.to(Made.class).on(ElementMatchers.isConstructor()))
                    .make()
                    .load(type.getClassLoader(), inPlace);
        }
    }

    /** At the begin and the end of each method. */
    static final class Hit {
        private Hit() {}

        @Advice.OnMethodEnter
        static void enter() {
            Faults.enter();
        }

        @Advice.OnMethodExit(onThrowable = Throwable.class)
        static void exit() {
            Faults.exit();
        }
    }

    /** As early in a constructor as code can stand. */
    static final class Made {
        private Made() {}

        @Advice.OnMethodEnter
        static void enter() {
            Faults.enter();
            Faults.exit();
        }
    }

    public static void enter() {
        if (armed != Thread.currentThread()) {
            return;
        }
        if (calls++ == failAtCall || depth >= failAtDepth) {
            throw error.get();
        }
        depth++;
    }

    public static void exit() {
        if (armed == Thread.currentThread()) {
            depth--;
        }
    }

    /** What the calling thread does is counted from now on. */
    private static void arm(int call, int deepest, Supplier<Error> thrown) {
        calls = 0;
        depth = 0;
        failAtCall = call;
        failAtDepth = deepest;
        error = thrown;
        armed = Thread.currentThread();
    }

    /** One call of all those that the calling thread makes throws. */
    public void failAt(int call, Supplier<Error> thrown) {
        arm(call, Integer.MAX_VALUE, thrown);
    }

    /** The calling thread has a stack of so many calls and no more. */
    public void stackOf(int deepest) {
        arm(-1, deepest, StackOverflowError::new);
    }

    /**
     * Nothing is hit any more.
     *
     * @return how many calls there were
     */
    public int disarm() {
        armed = null;
        return calls;
    }

    @Override
    public void close() {
        disarm();
        try {
            instrumentation.retransformClasses(WAY.toArray(Class<?>[]::new));
        } catch (UnmodifiableClassException e) {
            throw new AssertionError(e);
        }
    }
}

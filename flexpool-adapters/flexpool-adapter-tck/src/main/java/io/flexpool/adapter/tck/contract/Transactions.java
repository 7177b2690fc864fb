// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

/** A transaction manager, as {@link TransactionContract} uses it: the one of {@code javax} or of {@code jakarta}. */
public interface Transactions {
    /**
     * Begins a transaction of the calling thread.
     *
     * @param timeoutSeconds after which the transaction manager rolls it back
     * @throws Exception if there is one already, or anything fails
     */
    void begin(int timeoutSeconds) throws Exception;

    /**
     * Commits the calling thread's transaction.
     *
     * @throws Exception also if it was rolled back
     */
    void commit() throws Exception;

    /**
     * Rolls the calling thread's transaction back, also one that the transaction manager has rolled back.
     *
     * @throws Exception if there is none, or anything fails
     */
    void rollback() throws Exception;

    /**
     * Rolls the calling thread's transaction back if it has one.
     *
     * @throws Exception if anything fails
     */
    void abandon() throws Exception;

    /**
     * Whether the calling thread's transaction can only be rolled back, or has been.
     *
     * @return true after its timeout
     */
    boolean failed();

    /**
     * Takes the transaction from the calling thread.
     *
     * @return for {@link #resume}
     * @throws Exception if anything fails
     */
    Object suspend() throws Exception;

    /**
     * Gives a transaction to the calling thread, which has none.
     *
     * @param suspended from {@link #suspend}
     * @throws Exception if anything fails
     */
    void resume(Object suspended) throws Exception;
}

// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

/**
 * The operations of a transaction manager that {@link TransactionContract} uses, for {@code javax} and {@code jakarta}.
 */
public interface Transactions {
    /**
     * Begins a transaction of the calling thread.
     *
     * @param timeoutSeconds the timeout after which the transaction manager rolls back
     * @throws Exception if the thread has a transaction already, or the call fails
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
     * @throws Exception if the thread has no transaction, or the call fails
     */
    void rollback() throws Exception;

    /**
     * Rolls the calling thread's transaction back if it has one.
     *
     * @throws Exception if the call fails
     */
    void abandon() throws Exception;

    /**
     * Whether the calling thread's transaction can only be rolled back, or has been.
     *
     * @return true after its timeout
     */
    boolean failed();

    /**
     * Suspends the calling thread's transaction.
     *
     * @return the transaction, for {@link #resume}
     * @throws Exception if the call fails
     */
    Object suspend() throws Exception;

    /**
     * Resumes a transaction on the calling thread, which must have none.
     *
     * @param suspended the result of {@link #suspend}
     * @throws Exception if the call fails
     */
    void resume(Object suspended) throws Exception;
}
